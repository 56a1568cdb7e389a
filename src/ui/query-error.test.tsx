import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Answered } from './query-error.tsx';

test('a failed refresh is read aloud once, and not again each minute as its age grows', () => {
  const query = {
    error: new Error('gone'),
    data: 'rocks',
    isLoading: false,
    isFetching: false,
    dataUpdatedAt: 1,
    errorUpdateCount: 1,
    refetch: () => {},
  };
  const html = renderToStaticMarkup(
    <Answered query={query} failure="Failed to load the rocks" loading={null}>
      {(data) => data}
    </Answered>,
  );
  expect(html).toMatch(/role="alert".*Failed to load the rocks.*Showing what was read .*<time [^>]*aria-live="off"/);
});
