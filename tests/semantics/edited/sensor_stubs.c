// assume: limit <= 4
// domain: limit=0..4
/* Calls of functions that are not there: how many there were before decides which answer is whose. */
#define RETRIES 2
int read_sensor(void);
void log_value(int value);
extern int calibrate(int raw, int gain);
static int last = 1;
static int sample(int gain)
{
    int raw = read_sensor();
    if (raw < 0)
        return -1;
    last = raw & 3;
    return calibrate(raw & 7, gain);
}
int f(unsigned char limit)
{
    int sum = 0, failed = 0;
    for (int i = 0; i < RETRIES; i++) {
        int value = sample(i + 1);
        if (value < 0) {
            failed++;
            continue;
        }
        sum += value & 3;
    }
    if (failed == RETRIES)
        return -1;
    log_value(sum);
    if (sum > limit && last != 2)
        return 1;
    if (read_sensor() == 5)
        sum--;
    return sum == 3;
}
