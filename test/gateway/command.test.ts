import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { databaseFile } from './open-gateway.ts';

const program = resolve(root, 'dist/gateway/telephony-gateway.js');
const secret = 'not-a-real-secret';

/** Runs a command of the built package. */
function run(args: string[], env: NodeJS.ProcessEnv) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const settings = (file = databaseFile()) => ({
  TELEPHONY_USERNAME: 'AC0123456789abcdef0123456789abcdef',
  TELEPHONY_PASSWORD: secret,
  TELEPHONY_DATABASE_FILE: file,
});

test('keys are created, listed and revoked', () => {
  const env = settings();
  const rights = ['--read', 'account-calls', '--act', 'all', '--senders', '+14155550100'];
  const added = run(['keys', 'add', 'desk', ...rights, '--limit', 'perHour=5'], env);
  const [, id = '', key = ''] = /^tgw_([0-9a-f]{12})_(\S{43})\n$/.exec(added.stdout) ?? [];
  expect(added.status).toBe(0);
  const listed = () => run(['keys', 'list'], env).stdout.replaceAll(/20\d\d-\S+Z/g, 'TIME');
  const lines = [
    '  read: account-calls',
    '  act: all',
    '  senders: +14155550100',
    '  events: none',
    '  reply: none',
    '  limits: {"perHour":"5"}',
    '',
  ];
  expect(listed()).toBe([`${id}  desk  created TIME`, ...lines].join('\n'));
  expect(run(['keys', 'revoke', id], env)).toEqual({ status: 0, stdout: 'Revoked.\n', stderr: '' });
  expect(listed()).toBe([`${id}  desk  created TIME, revoked TIME`, ...lines].join('\n'));
  expect(listed()).not.toContain(key);
});

const wrong: [what: string, args: string[], env: object, says: RegExp][] = [
  ['a key without rights', ['keys', 'add', 'desk'], {}, /^Name the key, and what it may do\./],
  ['actions without senders', ['keys', 'add', 'x', '--act', 'all'], {}, /needs --senders/],
  [
    'an unknown operation',
    ['keys', 'add', 'x', '--read', 'al'],
    {},
    /^There is no "al" for read\. Choose from: /,
  ],
  [
    'an unknown limit',
    ['keys', 'add', 'x', '--read', 'all', '--limit', 'perMinute=5'],
    {},
    /^Unknown limit "perMinute=5"\. Choose from: /,
  ],
  [
    'a limit without a value, such as of a variable that is not set',
    ['keys', 'add', 'x', '--read', 'all', '--limit', 'perHour='],
    {},
    /^The limit "perHour" has no value\.\n$/,
  ],
  [
    'a limit that is no number',
    ['keys', 'add', 'x', '--read', 'all', '--limit', 'perHour=many'],
    {},
    /must be a whole number from 1/,
  ],
  [
    'a limit that is given twice',
    ['keys', 'add', 'x', '--read', 'all', '--limit', 'perHour=5', '--limit', 'perHour=9'],
    {},
    /^The limit "perHour" is given twice\./,
  ],
  [
    'replies without events',
    ['keys', 'add', 'x', '--read', 'all', '--reply', 'all'],
    {},
    /^--subscribe and --reply need --events/,
  ],
  [
    'a blank sender',
    ['keys', 'add', 'x', '--act', 'all', '--senders', ' '],
    {},
    /^A name in " " is empty\./,
  ],
  [
    'some and all',
    ['keys', 'add', 'x', '--read', 'account-calls,all'],
    {},
    /^"account-calls,all" names some, and all\./,
  ],
  ['a key that does not exist', ['keys', 'revoke', 'x'], {}, /^There is no key x\./],
  [
    'a misspelt variable',
    ['serve'],
    { TELEPHONY_PERHOUR: '5' },
    /^The environment variable TELEPHONY_PERHOUR is no setting\. Choose from: /,
  ],
  ['a port that is none', ['serve'], { PORT: 'x' }, /^PORT must be a whole number from 0 to 65535/],
  [
    'no password',
    ['serve'],
    { TELEPHONY_PASSWORD: '' },
    /"password" in the gateway's settings is empty/,
  ],
];

test.each(wrong)('says what is wrong with %s, without a secret', (_, args, env, says) => {
  const { status, stdout, stderr } = run(args, { ...settings(), ...env });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain(secret);
});

test('a file with settings is read, and refused if it has others', () => {
  const file = join(temporaryFolder('gateway-settings'), 'settings.json');
  const env = { TELEPHONY_SETTINGS: file };
  const values = { username: 'AC1', password: secret, databaseFile: join(dirname(file), 'a/b') };
  writeFileSync(file, JSON.stringify(values));
  expect(run(['keys', 'list'], env)).toEqual({ status: 0, stdout: '', stderr: '' });
  writeFileSync(file, JSON.stringify({ ...values, perHuor: 5 }));
  expect(run(['keys', 'list'], env).stderr).toMatch(/has an unknown setting "perHuor"/);
  writeFileSync(file, `{ "password": "${secret}`);
  expect(run(['keys', 'list'], env).stderr).toBe(
    `The file with settings ${file} can't be read (it is not JSON).\n`,
  );
});

test('an unknown command shows all of them', () => {
  const { status, stderr } = run(['sned'], {});
  expect([status, stderr]).toEqual([2, expect.stringContaining('telephony-gateway keys add')]);
});
