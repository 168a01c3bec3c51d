import type { Operation } from '../../../src/builder.ts';

const icons: Record<string, string> = {
  message: 'MessageOutlined',
  file: 'PictureOutlined',
  recording: 'AudioOutlined',
};

/** The icon of an operation, by its record shape. */
export const icon = ({ result }: Pick<Operation, 'result'>): string =>
  icons[result.of] ?? 'PhoneOutlined';
