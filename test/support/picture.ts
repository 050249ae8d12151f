/** Pictures of pages for the documentation: small WebP files, encoded by the browser itself. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Writes a picture of the visible part of a page, or of the whole page, as a WebP file. */
export async function writePicture(page: Page, file: string, { fullPage = false } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { width, height } = fullPage ? cssContentSize : (page.viewportSize() ?? cssContentSize);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 60,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  await session.detach();
  writeFileSync(file, Buffer.from(data, 'base64'));
}
