import { readOptions } from '../../demo/options.ts';
import { Advice } from '../../demo/terminal.mjs';

const seeHelp = '`npm start -- --help` lists the options.';

test.each<[args: string[], message: string]>([
  [['saltcorn'], 'To start Saltcorn, run `npm start -- --builder saltcorn`.'],
  [['node-red', '--reset'], 'To start Node-RED, run `npm start -- --builder node-red`.'],
  [['4000'], `Unexpected argument '4000'. ${seeHelp}`],
  [['toString'], `Unexpected argument 'toString'. ${seeHelp}`],
  [['--bilder', 'n8n'], `Unknown option '--bilder'. ${seeHelp}`],
  [
    ['--builder', 'other'],
    '--builder takes saltcorn, node-red, nocobase, n8n, or gateway, not "other".',
  ],
])('the demo refuses %j and says what to change', (args, message) => {
  expect(() => readOptions(args, {})).toThrow(new Advice(message));
});
