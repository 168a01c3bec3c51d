import { type Host, type Loose, startSaltcorn, state } from './host.ts';

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
});
afterAll(() => host.close());

const shown: [type: string, fieldview: string, value: unknown, html: string][] = [
  ['String', 'phone_link', '+12025550143', '<a href="tel:+12025550143">+12025550143</a>'],
  ['String', 'phone_link', '+1 (202) 555-0143', '<a href="tel:+12025550143">+1 (202) 555-0143</a>'],
  ['String', 'phone_link', 'client:<b>', 'client:&lt;b&gt;'],
  ['String', 'phone_link', null, ''],
  ['String', 'status_badge', 'busy', '<span class="badge text-bg-warning">busy</span>'],
  ['String', 'status_badge', 'failed', '<span class="badge bg-danger text-black">failed</span>'],
  ['String', 'status_badge', '<new>', '<span class="badge text-bg-secondary">&lt;new&gt;</span>'],
  ['String', 'status_badge', null, ''],
  ['Integer', 'clock_duration', 0, '0:00'],
  ['Integer', 'clock_duration', 125, '2:05'],
  ['Integer', 'clock_duration', 3725, '1:02:05'],
  ['Integer', 'clock_duration', null, ''],
  [
    'String',
    'audio_player',
    '/x"y',
    '<audio controls preload="none" aria-label="Listen" src="/x&quot;y"></audio>',
  ],
  ['String', 'audio_player', null, ''],
];

test.each(shown)('%s as %s: %j', (type, fieldview, value, html) => {
  const types: Loose = state().types;
  expect(types[type].fieldviews[fieldview].run(value)).toBe(html);
});
