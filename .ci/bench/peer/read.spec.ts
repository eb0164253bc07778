import { test } from '@playwright/test';

test('click and read', async ({ page }) => {
  await page.goto('/');
  for (let i = 1; i <= 100; i++) {
    await page.click('#inc');
    const got = await page.textContent('#count');
    if (got !== String(i)) throw new Error(`want ${i}, got ${got}`);
  }
});
