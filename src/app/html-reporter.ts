import { deflatedBase64 } from '../adapters/files/deflated-base64.ts'
import type { Reporter } from '../core/ports.ts'
import { type BaseRun, htmlReporter } from '../report/html-report.ts'
import { viewer } from './viewer-page.ts'

/** The HTML report with the viewer that was built for it, compared with another run where one is given. */
export const builtHtmlReporter = (base?: BaseRun): Reporter =>
  htmlReporter({ viewer, pack: deflatedBase64, ...(base === undefined ? {} : { base }) })
