/** Checks that a response is a picture, of a type that a browser doesn't guess. */
export async function expectPicture(response: Response): Promise<void> {
  const { status, headers } = response;
  const start = Buffer.from(await response.arrayBuffer()).subarray(1, 4);
  expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
    ...[200, 'image/png', 'nosniff'],
  ]);
  expect(start.toString()).toBe('PNG');
}
