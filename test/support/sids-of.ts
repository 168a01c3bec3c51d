export const sidsOf = (records: { sid: string }[]): string[] => records.map(({ sid }) => sid);
