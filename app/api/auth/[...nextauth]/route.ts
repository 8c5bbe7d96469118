import { handlers } from '@/lib/http/next-auth';

export const { GET, POST } = handlers;
