import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      // Compiled tests in dist/ would be found too: the source folders are named.
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/build-once.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
