/* <linux/i2c.h> over the kernel's own: transfers that are known by name */
#ifndef DUET_OVERLAY_I2C_H
#define DUET_OVERLAY_I2C_H

#include_next <linux/i2c.h>

extern int i2c_master_recv(const struct i2c_client *client, char *buffer, int count);
extern int i2c_master_send(const struct i2c_client *client, const char *buffer, int count);

#endif
