import type { Answer } from '../service/answer.ts';
import { textAnswer } from '../service/answer.ts';
import { imageOf } from './nft-image.ts';
import { oddImage, oddImagePrefix } from './odd-images.ts';

/** The image at a path, drawn or odd; null if there is none. The console and the marketplace serve them. */
export function pictureAt(path: string, gone: AbortSignal): Promise<Answer> | Answer | null {
  if (path.startsWith(oddImagePrefix)) return oddImage(path, gone);
  const picture = imageOf(path);
  return picture === null ? null : { ...textAnswer(200, picture, 'image/svg+xml'), headers: imageHeaders };
}

/** Lets the site, another origin, show these images. */
const imageHeaders = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
