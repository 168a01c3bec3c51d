import { ClickableFieldModel } from '@nocobase/client-v2';
import { DisplayItemModel, FilterableItemModel } from '@nocobase/flow-engine';
import { durationText, fieldTypes } from '../../../../src/builder.ts';
import {
  durationInterface,
  interfaces,
  mediaInterface,
  pictureInterface,
} from '../../interfaces.ts';
import { type Host, h } from '../host.ts';

/** Links a phone number. */
class TelephonyPhoneFieldModel extends ClickableFieldModel {
  override renderComponent(value: unknown) {
    const text = String(value ?? '');
    return /^\+\d+$/.test(text) ? h('a', { href: `tel:${text}` }, text) : text;
  }
}
TelephonyPhoneFieldModel.define({ label: 'Phone' });

/** Shows seconds as a duration. */
class TelephonyDurationFieldModel extends ClickableFieldModel {
  override renderComponent(value: unknown) {
    return durationText(value);
  }
}
TelephonyDurationFieldModel.define({ label: 'Duration' });

/** Plays audio. */
class TelephonyPlayerFieldModel extends ClickableFieldModel {
  override renderComponent(value: unknown) {
    if (typeof value !== 'string' || value === '') return null;
    const style = { width: '100%', height: 32, display: 'block' };
    return h('audio', { controls: true, preload: 'none', src: value, style });
  }
}
TelephonyPlayerFieldModel.define({ label: 'Player' });

/** Shows a picture and links to it. */
class TelephonyPictureFieldModel extends ClickableFieldModel {
  override renderComponent(value: unknown) {
    if (typeof value !== 'string' || value === '') return null;
    const style = { maxWidth: '100%', maxHeight: 160, display: 'block' };
    const picture = h('img', { src: value, alt: '', loading: 'lazy', style });
    return h('a', { href: value, target: '_blank', rel: 'noopener' }, picture);
  }
}
TelephonyPictureFieldModel.define({ label: 'Picture' });

type Holds = 'text' | 'integer' | 'number' | 'date';

const shownAs: Record<Holds, string> = {
  text: 'DisplayTextFieldModel',
  integer: 'DisplayNumberFieldModel',
  number: 'DisplayNumberFieldModel',
  date: 'DisplayDateTimeFieldModel',
};

const typedAs: Record<Holds, string> = {
  text: 'InputFieldModel',
  integer: 'NumberFieldModel',
  number: 'NumberFieldModel',
  date: 'DateTimeFilterFieldModel',
};

/** The models of types that are typed otherwise than what they hold. */
const typedByName: Record<string, string> = {
  choice: 'SelectFieldModel',
  day: typedAs.date,
};

const named: Record<string, string> = {
  phone: 'TelephonyPhoneFieldModel',
  choice: 'DisplayEnumFieldModel',
};

export function registerFieldModels({ flowEngine }: Host): void {
  flowEngine.registerModels({
    ...{ TelephonyPhoneFieldModel, TelephonyPlayerFieldModel, TelephonyPictureFieldModel },
    TelephonyDurationFieldModel,
  });
  const options = { isDefault: true };
  for (const { name, type, isFilter } of interfaces) {
    const { holds } = fieldTypes[type];
    DisplayItemModel.bindModelToInterface(named[type] ?? shownAs[holds], [name], options);
    if (!isFilter) continue;
    const typed = typedByName[type] ?? typedAs[holds];
    FilterableItemModel.bindModelToInterface(typed, [name], options);
  }
  DisplayItemModel.bindModelToInterface(
    'TelephonyDurationFieldModel',
    [durationInterface],
    options,
  );
  // Users can choose to show seconds instead.
  DisplayItemModel.bindModelToInterface('DisplayNumberFieldModel', [durationInterface], {});
  DisplayItemModel.bindModelToInterface('TelephonyPlayerFieldModel', [mediaInterface], options);
  DisplayItemModel.bindModelToInterface('TelephonyPictureFieldModel', [pictureInterface], options);
}
