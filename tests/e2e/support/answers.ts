import type { Page } from '@playwright/test';
import { expect } from './admin.ts';

/** From now on, this call answers the page with this `data` (or, with a status, this failure). */
export const answering = async (page: Page, path: string, data: unknown, httpStatus = 200): Promise<void> => {
  const body = httpStatus === 200 ? { data } : data;
  await page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ status: httpStatus, json: body }),
  );
};

/** The browser reports each refused request by itself. Any other complaint fails the test. */
export const forgiveStatus = (complaints: string[], httpStatus: number): void => {
  expect(complaints.filter((text) => !text.includes(`status of ${httpStatus}`))).toEqual([]);
  complaints.length = 0;
};
