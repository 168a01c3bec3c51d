import { resolve } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { openBrowser, watchForFaults } from '../../support/browser.ts';
import { callIn, incoming } from '../../support/call-in.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { startNodeRedServer } from '../node-red-server.ts';
import { editorIn } from './node-red-editor.ts';

interface Sound {
  muted: boolean;
  currentTime: number;
  play(): void;
  ontimeupdate: () => void;
}

test('the example flow takes messages of callers, and a page plays them', async () => {
  const port = String(await freePort());
  const publicAddress = `http://127.0.0.1:${port}`;
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const { username, password, url: baseUrl } = sandbox;
  const { url } = await startNodeRedServer(
    [
      ...['--port', port, '--module', resolve(root, 'dist/node-red')],
      ...['--flow', resolve(root, 'demo/node-red/voicemail.json')],
    ],
    { PLUGIN_CONFIGURATION: JSON.stringify({ username, password, baseUrl, publicAddress }) },
  );
  const ended = await callIn(sandbox, `${url}/telephony/events/voicemail-account`, 2, 4, 4);
  expect(ended.recordings).toEqual([['RecordVerb', 'completed', '4']]);
  await until(async () => (await (await fetch(`${url}/voicemail`)).text()).includes('<audio'));

  const { page, screenshot } = await openBrowser('node-red-voicemail');
  const faults = watchForFaults(page);
  await page.goto(`${url}/voicemail`);
  await page.getByText(`${incoming.from}, 4 seconds`).waitFor();
  await screenshot('messages');
  const played = page.locator('audio').evaluate(
    (sound: Sound) =>
      new Promise<boolean>((resolve) => {
        sound.muted = true;
        sound.ontimeupdate = () => resolve(sound.currentTime > 0);
        sound.play();
      }),
  );
  expect(await played).toBe(true);

  const editor = editorIn(page);
  await page.goto(`${url}/#flow/voicemail-flow`);
  await editor.canvasNode('Reply: Record').first().dblclick();
  await page.locator('#node-input-inputSay').waitFor({ state: 'attached' });
  await page.locator('.red-ui-tray').getByText('Time limit (seconds)').waitFor();
  await screenshot('reply');
  expect(faults).toEqual([]);
});
