/**
 * Shows in a toast why Saltcorn could not save a setting that was changed: its own page hides the reason in the tooltip of a symbol.
 * An element for the head of the settings page.
 */
export const saveErrorToast = {
  headerTag: `<script>
document.addEventListener('DOMContentLoaded', () => {
  $(document).on('ajaxError', (_event, { responseText }, { url }) => {
    if (!url.startsWith('/plugins/saveconfig/') || !responseText) return;
    notifyAlert({ type: 'danger', toast_title: 'Not saved', text: $('<i>').text(responseText).html() });
  });
});
</script>`,
};
