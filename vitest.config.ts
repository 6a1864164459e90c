import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Compiled tests in dist/ would be found too: name the source folders.
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/build-once.ts'],
  },
})
