/**
 * Says that a store can't use its file.
 *
 * @param reason what the operating system or the database says
 */
export const unusableFileText = (
  path: string,
  reason: string | undefined,
  advice = 'Check that its disk has free space and that this user can write to it',
): string => `the plugin could not use its file ${path} (${reason}). ${advice}, and try again.`;
