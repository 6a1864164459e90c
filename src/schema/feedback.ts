import * as z from 'zod'

/** feedback.json, `skills-eval/feedback@1`: what a person wrote about the trials of a run in its HTML report. */

export const ratingSchema = z.enum(['good', 'bad', 'unsure'])

const reviewSchema = z.object({
  run_id: z
    .string()
    .describe('The trial as addresses of the report name it: suite/id/model/trial, each in percent-encoding.'),
  suite: z.string(),
  case: z.string(),
  model: z.string(),
  trial: z.int().min(1),
  rating: ratingSchema.optional().describe('What the person makes of the trial; absent where nothing was chosen.'),
  feedback: z.string().describe('In words; may be empty where there is a rating.'),
  timestamp: z.iso.datetime().describe('Of the last change.'),
})

export const feedbackSchema = z
  .object({
    format: z.literal('skills-eval/feedback@1'),
    run: z.string().describe('The id of the run.'),
    reviews: z.array(reviewSchema),
    status: z.literal('complete'),
  })
  .describe(
    'Has all that the viewer of skill-creator writes (`reviews` with run_id, feedback and timestamp, and `status`): what reads one reads the other.',
  )
  .meta({ title: 'skills-eval feedback' })

export type Rating = z.output<typeof ratingSchema>
export type FeedbackFile = z.output<typeof feedbackSchema>
