/** The command, which npm links. */
const command = `#!/usr/bin/env node
require('./index.js').main(process.argv.slice(2));
`;

/** The files of the package besides its code and its pages. */
export const files = async (): Promise<Record<string, string>> => ({
  'telephony-gateway.js': command,
});
