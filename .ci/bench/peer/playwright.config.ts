import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: process.env.BENCH_OUT,
  fullyParallel: true,
  retries: 0,
  reporter: 'dot',
  use: {
    baseURL: process.env.BENCH_URL,
    trace: 'off',
    video: 'off',
    screenshot: 'off',
    viewport: { width: 1280, height: 720 },
    launchOptions: {
      executablePath: process.env.BENCH_BROWSER,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});
