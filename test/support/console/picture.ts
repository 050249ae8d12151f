/** Pictures of pages for the documentation: small WebP files, encoded by the browser itself. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

interface Part {
  readonly fullPage?: boolean;
  /** The element of which the picture is; without one, the page. */
  readonly selector?: string;
}

/** Writes a picture of the visible part of a page, of the whole page, or of an element, as a WebP file. */
export async function writePicture(page: Page, file: string, { fullPage = false, selector }: Part = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const size = fullPage ? cssContentSize : (page.viewportSize() ?? cssContentSize);
  const box = selector === undefined ? null : await page.locator(selector).boundingBox();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: size.width, height: size.height };
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 60,
    captureBeyondViewport: true,
    clip: { x, y, width, height, scale: 1 },
  });
  await session.detach();
  writeFileSync(file, Buffer.from(data, 'base64'));
}
