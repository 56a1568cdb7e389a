import type { Answer } from '../service/answer.ts';
import { textAnswer } from '../service/answer.ts';
import { imageOf } from './nft-image.ts';
import { oddImage, oddImagePrefix } from './odd-images.ts';

/** The picture of a path, drawn or odd; null: there is none. The console shows them, and the marketplace has them at its own address. */
export function pictureAt(path: string, gone: AbortSignal): Promise<Answer> | Answer | null {
  if (path.startsWith(oddImagePrefix)) return oddImage(path, gone);
  const picture = imageOf(path);
  return picture === null ? null : { ...textAnswer(200, picture, 'image/svg+xml'), headers: imageHeaders };
}

/** The site may show these pictures from its own origin. */
const imageHeaders = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
