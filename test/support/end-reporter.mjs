/** How long what tests left open may take to close. */
const graceMs = 15_000;

/** Ends a run that open handles would keep from ending, and names them. */
export default class EndReporter {
  onRunComplete() {
    const end = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      console.error(`\nTests left something open: ${open}. See test/support/close-afterwards.ts.`);
      process.exit(1);
    };
    setTimeout(end, graceMs).unref();
  }
}
