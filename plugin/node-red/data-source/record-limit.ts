/** How many records a list has at most, when its node does not say. */
export const usualLimit = 1000;
