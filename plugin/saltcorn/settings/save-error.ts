/**
 * Shows in a toast why Saltcorn could not save a setting that was changed: its own page hides the reason in the tooltip of a symbol.
 * An element for the head of the settings page.
 */
export const saveErrorToast = {
  headerTag: `<script>
document.addEventListener('DOMContentLoaded', () => {
  const isSave = ({ url }) => url.startsWith('/plugins/saveconfig/');
  $(document).on('ajaxSend', (_event, _request, settings) => isSave(settings) && emptyAlerts());
  $(document).on('ajaxError', (_event, { responseText }, settings) => {
    if (!isSave(settings) || !responseText) return;
    emptyAlerts();
    notifyAlert({ type: 'danger', toast_title: 'Not saved', text: $('<i>').text(responseText).html() });
  });
});
</script>`,
};
