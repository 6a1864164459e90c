import { baseName, extensionOf } from '../paths.ts'
import type { CodeLanguage } from './code-language.ts'

const of = (names: string): readonly string[] => names.split(' ')

const extensions: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...of('.sh .bash .zsh .ksh .dash .ash .command .envrc .bats').map((name) => [name, 'shell'] as const),
  ...of('.py .pyw .pyi .ipynb').map((name) => [name, 'python'] as const),
  ...of('.js .mjs .cjs .ts .mts .cts .jsx .tsx .go .rs .java .kt .c .cc .cpp .h .cs .swift .scala .groovy').map(
    (name) => [name, 'javascript'] as const,
  ),
  ...of('.rb .pl .pm .ps1 .psm1 .psd1 .fish .mk .r .tcl .awk .nix .ex .exs .jl').map((name) => [name, 'hash'] as const),
  ...of('.php .lua .bat .cmd .vbs .vbe .jse .wsf .hta .applescript .scpt .reg .desktop .service .url .sql').map(
    (name) => [name, 'other'] as const,
  ),
])

const names: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...of('makefile gnumakefile dockerfile containerfile justfile rakefile gemfile vagrantfile procfile brewfile').map(
    (name) => [name, 'hash'] as const,
  ),
  ...of('.bashrc .bash_profile .zshrc .profile .envrc configure gradlew mvnw').map((name) => [name, 'shell'] as const),
  ['jenkinsfile', 'javascript'],
])

const interpreters: ReadonlyMap<string, CodeLanguage> = new Map<string, CodeLanguage>([
  ...of('bash sh zsh ksh dash ash').map((name) => [name, 'shell'] as const),
  ['python', 'python'],
  ...of('node deno bun tsx').map((name) => [name, 'javascript'] as const),
  ...of('perl ruby pwsh fish make tclsh awk').map((name) => [name, 'hash'] as const),
])

/** The language that a file says it is in, by its first line, its name or its extension. */
export const languageOf = (path: string, text: string): CodeLanguage | undefined => {
  const [, line] = /^\ufeff?#!([^\n\r]{0,200})/.exec(text) ?? []
  if (line !== undefined) {
    const [, interpreter = ''] =
      /\b(bash|sh|zsh|ksh|dash|ash|python|node|deno|bun|tsx|perl|ruby|pwsh|fish|make|tclsh|awk)(?![a-z])/.exec(line) ??
      []
    return interpreters.get(interpreter) ?? 'other'
  }
  return extensions.get(extensionOf(path)) ?? names.get(baseName(path).toLowerCase())
}

const compiled = new Set(
  of('.pyc .pyo .class .jar .war .wasm .so .dll .dylib .exe .node .msi .apk .beam .o .a .lib .rlib .rmeta .lnk .scr'),
)
const archives = new Set(of('.zip .gz .tgz .tar .bz2 .xz .7z .rar .zst .whl .dmg .iso .skill'))
const macros = new Set(of('.docm .xlsm .pptm .dotm .xlam'))
const pages = new Set(of('.pdf .docx .xlsx .pptx .dotx .potx .odt .ods .odp .epub'))
const media = new Set([
  ...pages,
  ...of('.png .jpg .jpeg .gif .webp .ico .icns .bmp .tif .tiff .avif .ttf .otf .woff .woff2 .eot'),
  ...of('.mp3 .mp4 .wav .ogg .webm .mov .sqlite .db .parquet'),
])
const data = new Set([
  ...of(
    '.json .jsonl .ndjson .jsonc .json5 .yaml .yml .toml .ini .cfg .conf .xml .csv .tsv .lock .svg .css .scss .less',
  ),
  ...of(
    '.xsd .xsl .xslt .dtd .rng .wsdl .proto .graphql .plist .properties .env .log .map .bib .tex .sty .cls .bst .srt',
  ),
  ...of(
    '.vtt .yar .yara .rego .feature .prisma .license .typed .sum .sarif .snap .tpl .fasta .po .pot .ics .vcf .geojson .drawio .mmd .puml .dot .afm .lut .cube .gpl .tmpl .j2 .hbs .ejs .diff .patch',
  ),
])
const documents = new Set(of('.md .markdown .mdx .mdc .txt .rst .adoc .org .htm .html .xhtml .vue .svelte'))

/** What a file's name promises to hold. */
export type NamedKind = 'compiled' | 'archive' | 'macros' | 'media' | 'data' | 'document' | 'unnamed' | 'unknown'

export const namedKind = (path: string): NamedKind => {
  const extension = extensionOf(path)
  if (compiled.has(extension)) return 'compiled'
  if (archives.has(extension)) return 'archive'
  if (macros.has(extension)) return 'macros'
  if (media.has(extension)) return 'media'
  if (data.has(extension)) return 'data'
  if (documents.has(extension)) return 'document'
  return extension === '' ? 'unnamed' : 'unknown'
}

/** Documents that an agent may read and this does not: their text is packed. */
export const isPage = (path: string): boolean => pages.has(extensionOf(path))

/** Hidden files that every repository has. */
export const isUsualHidden = (path: string): boolean =>
  /^\.(?:gitignore|gitattributes|gitkeep|keep|editorconfig|npmignore|prettierrc.*|eslintrc.*|dockerignore|nvmrc|python-version|env\.example|env\.sample|markdownlint.*|claude-plugin|github|ds_store|skillignore)$/i.test(
    baseName(path),
  )
