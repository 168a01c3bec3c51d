/**
 * Shows a toast with the reason if Saltcorn could not save a changed setting: its own page hides the reason in a
 * tooltip. Saltcorn saves while an earlier save is in progress, so only the result of the newest one counts. An element
 * for the head of the settings page.
 */
export const saveErrorToast = {
  headerTag: `<script>
document.addEventListener('DOMContentLoaded', () => {
  let newest;
  $(document).on('ajaxSend', (_event, _request, settings) => {
    if (!settings.url.startsWith('/plugins/saveconfig/')) return;
    newest = settings;
    emptyAlerts();
  });
  $(document).on('ajaxError', (_event, { responseText }, settings) => {
    if (settings !== newest || !responseText) return;
    emptyAlerts();
    notifyAlert({ type: 'danger', toast_title: 'Not saved', text: $('<i>').text(responseText).html() });
  });
});
</script>`,
};
