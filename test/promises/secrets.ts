// What a URL, a page or JSON writes otherwise stands around a core that all of them write as it is.
const around = (core: string) => `5/+&"<${core}>'=5`;
const cores = ['Open5aSesame5aOpen', 'Wrong5aSesame5aWrong'];

/** The password of the account, and one that is wrong. */
export const [password = '', wrongPassword = ''] = cores.map(around);

/** How base64 writes a text wherever it stands in a longer one, but for what depends on its neighbours. */
const inBase64 = (text: string) =>
  [0, 1, 2].map((before) =>
    Buffer.from('-'.repeat(before) + text)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  );

const spellings = cores.flatMap((core) => [core, ...inBase64(core)]);

/** The places of a text where a password stands, in whatever spelling. */
export const secretsIn = (text: string): string[] =>
  spellings.flatMap((spelling) => {
    const at = text.indexOf(spelling);
    return at < 0 ? [] : [text.slice(Math.max(at - 100, 0), at + 100)];
  });
