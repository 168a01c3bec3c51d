// NocoBase would write its log into files where the tests were started, as soon as it is loaded.
process.env.LOGGER_TRANSPORT = 'console';
