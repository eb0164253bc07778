import { test, expect } from '@playwright/test';

test('clicks', async ({ page }) => {
  await page.goto('/');
  for (let i = 0; i < 200; i++) await page.click('#inc');
  await expect(page.locator('#count')).toHaveText('200');
});
