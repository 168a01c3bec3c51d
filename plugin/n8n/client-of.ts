/** Instead of axios: all requests of the nodes go through n8n. */
export const clientOf = (): never => {
  throw new Error('n8n has to send.');
};
