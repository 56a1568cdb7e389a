import { textOf } from '../parameters.ts';
import type { Method } from '../telegram-server.ts';
import { badRequest } from '../wire.ts';

export const getFile: Method = ({ files }, parameters) => {
  const fileId = textOf(parameters, 'file_id');
  const found = files.find(fileId);
  const size = found?.photo.find((each) => each.file_id === fileId);
  if (!found || !size) throw badRequest('invalid file_id');
  const { file_unique_id, file_size } = size;
  return { file_id: fileId, file_unique_id, file_size, file_path: `photos/${found.fileUniqueId}` };
};
