import { isChanged, noteGiven } from '../../demo/given-base-url.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const given = { username: 'AC1', baseUrl: 'http://127.0.0.1:3001' };

test('the demo gives a builder its settings again unless someone has saved others', () => {
  const home = temporaryFolder('demo');
  expect(isChanged(home, given, given)).toBe(false);
  noteGiven(home, given);
  // The sandbox has another port at the next start.
  expect(isChanged(home, given, { ...given, baseUrl: 'http://127.0.0.1:3002' })).toBe(false);
  expect(isChanged(home, { ...given, baseUrl: 'https://saved.test' }, given)).toBe(true);
  expect(isChanged(home, { ...given, username: 'AC2' }, given)).toBe(true);
  noteGiven(home, { username: 'AC1' });
  expect(isChanged(home, { username: 'AC1' }, given)).toBe(false);
});
