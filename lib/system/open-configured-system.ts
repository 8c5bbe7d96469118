import { configurationOf } from '@/lib/config/environment';
import { openSystem, type System } from '@/lib/system';

/** The system that this process's environment means. @throws DatabaseUnavailableError, ConfigurationError */
export const openConfiguredSystem = (): Promise<System> => openSystem({ configuration: configurationOf() });
