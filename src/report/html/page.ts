import { sha256Base64 } from '../../lib/hash.ts'

/** The program that shows the report in a browser, and its style sheet; both are part of the file. */
export type Viewer = { readonly script: string; readonly style: string }

/**
 * The page up to its data. Nothing is loaded from anywhere, only this script runs and only this style sheet holds: both
 * are named by their hashes. Throws where one of them would end its element early.
 */
export const pageStart = ({ script, style }: Viewer): string => {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error('the viewer would break out of its page')
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256Base64(script)}'`,
    `style-src 'sha256-${sha256Base64(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
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
export const pageEnd = ({ script }: Viewer): string => `<script>${script}</script>\n</body>\n</html>\n`
