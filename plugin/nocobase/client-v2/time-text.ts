import dayjs from 'dayjs';

/** Writes a time as NocoBase's tables do. */
export const timeText = (iso: string): string => dayjs(iso).format('YYYY-MM-DD HH:mm:ss');
