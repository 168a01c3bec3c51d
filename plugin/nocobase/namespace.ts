import base from './package.base.json';

/** The package's name, which is also the namespace of its translations in NocoBase. */
export const namespace = base.name;
