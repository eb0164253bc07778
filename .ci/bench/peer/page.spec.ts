import { test } from '@playwright/test';

test('page', async ({ page }) => { await page.goto('/'); });
