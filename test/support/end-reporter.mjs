/** How long what the tests left open may take to close, in milliseconds. */
const patience = 15_000;

/** Ends the run when something that tests left open would keep it from ending, and says so. */
export default class EndReporter {
  onRunComplete() {
    const end = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      console.error(`\nTests left something open: ${open}. See test/support/close-afterwards.ts.`);
      process.exit(1);
    };
    setTimeout(end, patience).unref();
  }
}
