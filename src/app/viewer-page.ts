import type { Viewer } from '../report/html/page.ts'

/** Replaced by the build with what it made of src/viewer. */
declare const SKILLS_EVAL_VIEWER_SCRIPT: string | undefined
declare const SKILLS_EVAL_VIEWER_STYLE: string | undefined

/** Run from source, there is no viewer: the page holds its data and shows nothing. */
export const viewer: Viewer = {
  script: typeof SKILLS_EVAL_VIEWER_SCRIPT === 'string' ? SKILLS_EVAL_VIEWER_SCRIPT : '',
  style: typeof SKILLS_EVAL_VIEWER_STYLE === 'string' ? SKILLS_EVAL_VIEWER_STYLE : '',
}
