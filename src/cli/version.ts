/** Replaced by the build with the version of package.json. */
declare const SKILLS_EVAL_VERSION: string | undefined

export const version: string = typeof SKILLS_EVAL_VERSION === 'string' ? SKILLS_EVAL_VERSION : '0.0.0-source'
