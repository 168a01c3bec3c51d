import type { Operation } from '../../../src/builder.ts';

const icons: Record<string, string> = {
  message: 'MessageOutlined',
  file: 'PictureOutlined',
  recording: 'AudioOutlined',
};

/** The name of an icon for what an operation is about. */
export const icon = ({ result }: Pick<Operation, 'result'>): string =>
  icons[result.of] ?? 'PhoneOutlined';
