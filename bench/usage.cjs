// Preloaded into a measured process: writes its CPU seconds and peak memory to the file in BENCH_USAGE as it exits.
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  require('node:fs').writeFileSync(
    process.env.BENCH_USAGE,
    JSON.stringify({ cpu: (user + system) / 1e6, mib: maxRSS / 1024 }),
  )
})
