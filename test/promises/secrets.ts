// Characters that URLs, HTML and JSON escape, around a core that none of them escapes.
const around = (core: string) => `5/+&"<${core}>'=5`;
const cores = ['Open5aSesame5aOpen', 'Wrong5aSesame5aWrong'];

/** The password of the account, and a wrong one. */
export const [password = '', wrongPassword = ''] = cores.map(around);

/** The Base64 of a text at any offset in a longer one, without the characters that depend on its neighbours. */
const inBase64 = (text: string) =>
  [0, 1, 2].map((before) =>
    Buffer.from('-'.repeat(before) + text)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );

const spellings = cores.flatMap((core) => [core, ...inBase64(core)]);

/** The parts of a text that contain a password in any encoding. */
export const secretsIn = (text: string): string[] =>
  spellings.flatMap((spelling) => {
    const at = text.indexOf(spelling);
    return at < 0 ? [] : [text.slice(Math.max(at - 100, 0), at + 100)];
  });
