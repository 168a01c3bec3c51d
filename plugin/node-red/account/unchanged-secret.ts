/** The placeholder that the editor shows instead of a stored secret. */
export const unchangedSecret = '__PWRD__';
