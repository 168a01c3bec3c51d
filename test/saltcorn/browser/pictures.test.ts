import { openSaltcorn } from '../open-saltcorn.ts';
import { builderIn } from './saltcorn-builder.ts';

interface Image {
  complete: boolean;
  naturalWidth: number;
}

test('a new list of the media of a message shows its pictures', async () => {
  const saltcorn = await openSaltcorn('pictures', {}, { now: new Date('2026-11-20T15:42:00Z') });
  const { page, screenshot } = saltcorn.browser;
  const builder = builderIn(saltcorn);
  const { sid } = saltcorn.sandbox.receiveMessage({
    ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 2 },
  });
  await saltcorn.logIn();
  await builder.createTable('Pictures', 'Telephony: Media of a Message');
  await builder.createView('Pictures', 'List', 'Pictures');
  await builder.next(/Default state \(step/);
  await saltcorn.press(/^Next/, /Options \(step/);
  await saltcorn.press(/^Finish/, 'Pictures');
  await saltcorn.go(`/view/Pictures?parentSid=${sid}`);
  const pictures = page.locator('table img');
  await pictures.first().waitFor();
  expect(await pictures.count()).toBe(2);
  const width = pictures.first().evaluate(async (image: Image) => {
    while (!image.complete) await new Promise((resolve) => setTimeout(resolve, 20));
    return image.naturalWidth;
  });
  expect(await width).toBe(96);
  await screenshot('list');
});
