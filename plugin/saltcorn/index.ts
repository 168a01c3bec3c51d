export const sc_plugin_api_version = 1;
