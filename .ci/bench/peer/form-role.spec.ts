import { test, expect } from '@playwright/test';

for (let i = 1; i <= 60; i++) {
  test(`form ${i}`, async ({ page }, info) => {
    await page.goto('/');
    await page.getByLabel('Name').fill(`User ${i}`);
    await page.getByLabel('Email').fill(`user${i}@example.test`);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.locator('#out')).toHaveText(`Welcome, User ${i} <user${i}@example.test>`);
    await page.screenshot({ path: info.outputPath(`form-${i}.png`) });
  });
}
