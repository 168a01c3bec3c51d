import base from './package.base.json';

/** The package's name, under which NocoBase looks for its translations. */
export const namespace = base.name;
