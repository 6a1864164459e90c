// The corridor of docs/architecture.md, as rules. Called from test/architecture.test.ts.
const domains = [
  'suite',
  'skills',
  'permissions',
  'tools',
  'agent',
  'cassette',
  'grading',
  'metrics',
  'report',
  'distribution',
]
const tests = '\\.test\\.ts$|test-support\\.ts$'
const only = (folder, allowed) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${allowed.join(', ') || 'nothing'} only`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: tests },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
})

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('schema', []),
    only('core', ['schema']),
    only('lib', ['core']),
    ...domains.map((domain) => only(domain, ['core', 'schema', 'lib'])),
    only('runner', ['core', 'schema', 'lib', 'suite', 'skills', 'permissions', 'tools', 'agent', 'grading', 'metrics']),
    only('adapters', ['core', 'schema', 'lib']),
    only('app', [
      'core',
      'schema',
      'lib',
      'suite',
      'skills',
      'permissions',
      'tools',
      'agent',
      'cassette',
      'grading',
      'metrics',
      'report',
      'distribution',
      'runner',
      'adapters',
      'data',
    ]),
    only('viewer', ['core', 'schema', 'lib', 'report']),
    {
      name: 'viewer-in-a-browser',
      comment:
        'viewer/ runs in report.html: no module of Node, no package but preact, and of the rest what needs neither',
      severity: 'error',
      from: { path: '^src/viewer/', pathNot: tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: 'node_modules/preact/' },
    },
    {
      name: 'viewer-types-only',
      comment: 'no zod in report.html',
      severity: 'error',
      from: { path: '^src/viewer/', pathNot: tests },
      to: { path: '^src/schema/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cli-imports',
      comment: 'cli/ reaches the product through app/; adapters and report for what a terminal shows',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: tests },
      to: {
        path: '^src/',
        pathNot: '^src/(cli|app|core|adapters/terminal|adapters/files/disk-files|report|lib/visible)',
      },
    },
    {
      name: 'bin-imports',
      severity: 'error',
      from: { path: '^src/bin/' },
      to: { path: '^src/', pathNot: '^src/cli/' },
    },
    {
      name: 'core-types-only',
      comment: 'core/ needs schema/ for its types alone: the vocabulary loads no zod',
      severity: 'error',
      from: { path: '^src/core/', pathNot: tests },
      to: { path: '^src/schema/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'world-only-in-adapters',
      comment: 'files, processes and the network belong to adapters/, cli/ and bin/',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(adapters|cli|bin)/|${tests}` },
      to: {
        path: '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dns|dgram|tls|worker_threads|cluster|readline|tty|os)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-tests-in-code',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests },
    },
    { name: 'not-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|reports|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
