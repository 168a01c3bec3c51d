/** What the editor has instead of a stored secret. */
export const unchangedSecret = '__PWRD__';
