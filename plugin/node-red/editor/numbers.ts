import {
  type NumberPress,
  type NumbersView,
  sayNumbers,
  showNumbers,
} from '../../../src/builder.ts';
import type { Element } from './browser.ts';
import { say, t } from './translate.ts';

declare const $: typeof import('./browser.ts').$;
declare const confirm: (question: string) => boolean;

const add = (parent: Element, html: string, text: string): Element =>
  $(html).text(text).appendTo(parent);

/**
 * Shows the numbers of a deployed account, and buttons to send their events here, once someone asks for them.
 *
 * @param url where they are served
 */
export function prepareNumbers(url: string, id: string) {
  const place = $(`#${id}`);

  function load(press?: NumberPress) {
    place.find('button').prop('disabled', true);
    $.ajax<NumbersView>({
      ...{ url, method: 'POST', contentType: 'application/json' },
      data: JSON.stringify({ ...press }),
    })
      .done(show)
      .fail(({ status }) =>
        show({
          numbers: [],
          problem:
            status === 401
              ? t('Your login may not change flows.')
              : t('Node-RED did not respond (__status__).', { status }),
        }),
      );
  }

  function show(view: NumbersView) {
    const { numbers, done, problem } = sayNumbers(view, say);
    place.text('');
    add(place, '<div role="status">', problem ?? done ?? '');
    for (const { sid, seen, name, lines, buttons } of numbers) {
      add(place, '<div style="font-weight: bold; margin-top: 8px">', name);
      for (const line of lines) add(place, '<div style="overflow-wrap: anywhere">', line);
      for (const { press, label, asks } of buttons)
        add(place, '<button type="button" class="red-ui-button red-ui-button-small">', label).on(
          'click',
          () => {
            if (!asks || confirm(asks)) load({ sid, press, seen });
          },
        );
    }
    if (numbers.length === 0) offer();
  }

  const offer = () =>
    add(place, '<button type="button" class="red-ui-button">', say(showNumbers)).on('click', () =>
      load(),
    );
  offer();
}
