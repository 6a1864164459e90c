import { deflatedBase64 } from '../adapters/files/deflated-base64.ts'
import type { Reporter } from '../core/ports.ts'
import { type HtmlOptions, htmlReporter } from '../report/html-report.ts'
import { viewer } from './viewer-page.ts'

/** The HTML report with the viewer that was built for it. */
export const builtHtmlReporter = (options: Pick<HtmlOptions, 'base' | 'reload'> = {}): Reporter =>
  htmlReporter({ ...options, viewer, pack: deflatedBase64 })
