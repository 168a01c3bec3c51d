import { string } from '@saltcorn/data/base-plugin/types';
import { audioPlayer, picture } from './field-views.ts';

/** The type of an audio URL, or of the reason why there is none. */
export const audioType = 'Sound';

/** The type of a picture URL, or of the reason why there is none. */
export const pictureType = 'Picture';

/** Column types. Saltcorn shows a column with the first field view of its type by default. */
export const columnTypes = () => [
  {
    ...string,
    name: audioType,
    description: 'The URL of a recording',
    fieldviews: { show: audioPlayer, ...string.fieldviews, audio_player: audioPlayer },
  },
  {
    ...string,
    name: pictureType,
    description: 'The URL of a picture',
    fieldviews: { show: picture, ...string.fieldviews, picture },
  },
];
