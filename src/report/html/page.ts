import { sha256Base64 } from '../../lib/hash.ts'
import { xmlText } from '../xml-text.ts'

/** The program that shows the report in a browser, and its style sheet; both are part of the file. */
export type Viewer = { readonly script: string; readonly style: string }

/**
 * Nothing is loaded from anywhere, only this script runs and only this style sheet holds: both are named by their hashes.
 * A page that is served may also have a `reload` script, and ask its own server.
 */
export const pagePolicy = ({ script, style }: Viewer, reload?: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256Base64(script)}'${reload === undefined ? '' : ` 'sha256-${sha256Base64(reload)}'`}`,
    `style-src 'sha256-${sha256Base64(style)}'`,
    'img-src data:',
    ...(reload === undefined ? [] : ["connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The page up to its data. Throws where a script or style sheet would end its element early. */
export const pageStart = (viewer: Viewer, reload?: string): string => {
  const { script, style } = viewer
  if (/<\/script|<!--/i.test(script + (reload ?? '')) || /<\/style/i.test(style))
    throw new Error('the viewer would break out of its page')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(viewer, reload)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>skills-eval report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="report"><noscript><p>This report needs JavaScript. The same result is in run.json and summary.md beside it.</p></noscript></div>
`
}

/** The program comes last: by then all data is there. */
export const pageEnd = ({ script }: Viewer, reload?: string): string =>
  `<script>${script}</script>\n${reload === undefined ? '' : `<script>${reload}</script>\n`}</body>\n</html>\n`

/** A page that says why there is none, and comes again when there is one. The text is made safe here. */
export const messagePage = (text: string, viewer: Viewer, reload: string): string =>
  `<!doctype html>\n<meta charset="utf-8">\n<title>skills-eval report</title>\n<style>${viewer.style}</style>\n<p>${xmlText(text)}</p>\n<script>${reload}</script>\n`
